// Sites to cells by Voro++, each with its faces, vertices and neighbours: prints a median in
// milliseconds. voro SITES REPEAT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <voro++/voro++.hh>

int main(int, char **words) {
    std::vector<double> at;
    FILE *file = std::fopen(words[1], "r");
    double x;
    while (file && std::fscanf(file, "%lf", &x) == 1) at.push_back(x);
    const int count = int(at.size() / 3), repeat = std::atoi(words[2]);
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = at[k];
        for (int i = 0; i < count; i++) {
            low[k] = std::min(low[k], at[3 * i + k]);
            high[k] = std::max(high[k], at[3 * i + k]);
        }
        const double more = 0.01 * (high[k] - low[k]);
        low[k] -= more;
        high[k] += more;
    }
    // About five sites a block, as its authors advise.
    const int blocks = std::max(1, int(std::cbrt(count / 5.0)));
    std::vector<double> times;
    for (int run = 0; run < repeat; run++) {
        const auto start = std::chrono::steady_clock::now();
        voro::container all(low[0], high[0], low[1], high[1], low[2], high[2], blocks, blocks,
                            blocks, false, false, false, 8);
        for (int i = 0; i < count; i++) all.put(i, at[3 * i], at[3 * i + 1], at[3 * i + 2]);
        voro::voronoicell_neighbor cell;
        voro::c_loop_all loop(all);
        std::vector<int> faces, neighbors;
        std::vector<double> vertices;
        size_t sum = 0;
        if (loop.start()) do {
                if (!all.compute_cell(cell, loop)) continue;
                double px, py, pz;
                loop.pos(px, py, pz);
                cell.face_vertices(faces);
                cell.neighbors(neighbors);
                cell.vertices(px, py, pz, vertices);
                sum += faces.size() + neighbors.size() + vertices.size();
            } while (loop.inc());
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;
        if (sum > 0) times.push_back(taken.count());
    }
    std::sort(times.begin(), times.end());
    std::printf("%g\n", times[times.size() / 2]);
}
