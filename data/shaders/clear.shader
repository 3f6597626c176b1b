// What one sees through: glass and ice. The engine does not light such surfaces, so this one mirrors a
// sky of its own, brighter the flatter one looks at it, and glints towards the sun.
(
    name: "Clear",
    resources: [
        (name: "diffuseTexture", kind: Texture(kind: Sampler2D, fallback: White), binding: 0),
        (
            name: "properties",
            kind: PropertyGroup([
                (name: "diffuseColor", kind: Color(r: 255, g: 255, b: 255, a: 64)),
                // How much opacity is added where one looks along the surface.
                (name: "rim", kind: Float(value: 0.7)),
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
                cull_face: Some(Back),
                color_write: ColorMask(red: true, green: true, blue: true, alpha: true),
                depth_write: true,
                stencil_test: None,
                depth_test: Some(Less),
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
                layout(location = 1) in vec2 vertexTexCoord;
                layout(location = 2) in vec3 vertexNormal;

                out vec3 position;
                out vec3 normal;
                out vec2 texCoord;

                void main()
                {
                    vec4 world = fyrox_instanceData.worldMatrix * vec4(vertexPosition, 1.0);
                    position = world.xyz;
                    normal = mat3(fyrox_instanceData.worldMatrix) * vertexNormal;
                    texCoord = vertexTexCoord;
                    gl_Position = fyrox_instanceData.worldViewProjection * vec4(vertexPosition, 1.0);
                }
                "#,
            fragment_shader:
                r#"
                out vec4 FragColor;

                in vec3 position;
                in vec3 normal;
                in vec2 texCoord;

                void main()
                {
                    const vec3 sun = vec3(-0.48, 0.72, 0.5);
                    vec3 n = normalize(normal);
                    vec3 v = normalize(fyrox_cameraData.position - position);
                    vec3 r = reflect(-v, n);

                    float grazing = pow(1.0 - abs(dot(n, v)), 3.0);
                    float height = clamp(r.y * 0.5 + 0.5, 0.0, 1.0);
                    vec3 sky = mix(vec3(0.25, 0.24, 0.22), vec3(0.55, 0.72, 0.92), smoothstep(0.42, 0.62, height));
                    float glint = pow(max(dot(r, normalize(sun)), 0.0), 90.0);

                    vec4 own = properties.diffuseColor;
                    vec3 inside = S_SRGBToLinear(vec4(own.rgb, 1.0) * texture(diffuseTexture, texCoord)).rgb;
                    float lit = 0.45 + 0.55 * max(dot(n, normalize(sun)), 0.0) + 0.15 * n.y;
                    vec3 color = mix(inside * lit, sky, clamp(0.15 + grazing, 0.0, 1.0)) + vec3(glint * 2.0);
                    FragColor = vec4(color, clamp(own.a + properties.rim * grazing + glint, 0.0, 1.0));
                }
                "#,
        ),
        // Only what is told to cast shadows does.
        (
            name: "DirectionalShadow",
            draw_parameters: DrawParameters(
                cull_face: Some(Back),
                color_write: ColorMask(red: false, green: false, blue: false, alpha: false),
                depth_write: true,
                stencil_test: None,
                depth_test: Some(Less),
                blend: None,
                stencil_op: StencilOp(fail: Keep, zfail: Keep, zpass: Keep, write_mask: 0xFFFF_FFFF),
                scissor_box: None
            ),
            vertex_shader:
                r#"
                layout(location = 0) in vec3 vertexPosition;

                void main()
                {
                    gl_Position = fyrox_instanceData.worldViewProjection * vec4(vertexPosition, 1.0);
                }
                "#,
            fragment_shader:
                r#"
                void main()
                {
                }
                "#,
        ),
    ],
)
