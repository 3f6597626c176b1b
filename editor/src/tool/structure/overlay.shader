// A plain colour over what is drawn already, shaded a little so that shapes can be told.
(
    name: "Overlay",
    resources: [
        (
            name: "properties",
            kind: PropertyGroup([
                (name: "color", kind: Color(r: 255, g: 255, b: 255, a: 255)),
            ]),
            binding: 0
        ),
        (name: "fyrox_instanceData", kind: PropertyGroup([]), binding: 1),
        (name: "fyrox_cameraData", kind: PropertyGroup([]), binding: 2),
    ],
    passes: [
        (
            name: "Forward",
            draw_parameters: DrawParameters(
                cull_face: None,
                color_write: ColorMask(red: true, green: true, blue: true, alpha: true),
                depth_write: false,
                stencil_test: None,
                depth_test: Some(LessOrEqual),
                blend: Some(BlendParameters(
                    func: BlendFunc(
                        sfactor: SrcAlpha,
                        dfactor: OneMinusSrcAlpha,
                        alpha_sfactor: SrcAlpha,
                        alpha_dfactor: OneMinusSrcAlpha,
                    ),
                    equation: BlendEquation(rgb: Add, alpha: Add)
                )),
                stencil_op: StencilOp(fail: Keep, zfail: Keep, zpass: Keep, write_mask: 0xFFFF_FFFF),
                scissor_box: None
            ),
            vertex_shader:
                r#"
                layout(location = 0) in vec3 vertexPosition;
                layout(location = 2) in vec3 vertexNormal;

                out vec3 position;
                out vec3 normal;

                void main()
                {
                    position = (fyrox_instanceData.worldMatrix * vec4(vertexPosition, 1.0)).xyz;
                    normal = mat3(fyrox_instanceData.worldMatrix) * vertexNormal;
                    gl_Position = fyrox_instanceData.worldViewProjection * vec4(vertexPosition, 1.0);
                    // In front of the same surface, however it was drawn.
                    gl_Position.z -= 0.0001 * gl_Position.w;
                }
                "#,
            fragment_shader:
                r#"
                out vec4 FragColor;

                in vec3 position;
                in vec3 normal;

                void main()
                {
                    vec3 n = normalize(normal);
                    vec3 v = normalize(fyrox_cameraData.position - position);
                    float shade = 0.55 + 0.3 * abs(dot(n, v)) + 0.15 * n.y;
                    FragColor = vec4(properties.color.rgb * shade, 0.88);
                }
                "#,
        ),
    ],
)
