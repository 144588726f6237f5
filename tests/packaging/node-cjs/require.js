const { open } = require("tidegate");
const { live } = require("./app.mjs");

live(open).then((answer) => console.log(JSON.stringify(answer)));
