export default { entry: "./main.js", mode: "production", output: { filename: "main.js" } };
