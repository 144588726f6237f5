export default { test: { server: { deps: { inline: ["tidegate"] } } } };
