export default { entry: "./node.js", mode: "production", target: "node", output: { filename: "node.cjs" } };
