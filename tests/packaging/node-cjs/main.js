async function main() {
  const { open } = await import("tidegate");
  const { fileStore } = await import("tidegate/node");
  const { live } = await import("./app.mjs");
  return live(open, { storage: fileStore("data") });
}

main().then((answer) => console.log(JSON.stringify(answer)));
