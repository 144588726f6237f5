// Runs in a page before its own scripts: counts connections to IndexedDB, and channels to other tabs.
{
  const [connections, channels] = [new Set(), new Set()];
  let [ever, most] = [0, 0];

  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...args) {
    const request = open.apply(this, args);
    request.addEventListener("success", () => {
      ever++;
      most = Math.max(most, connections.add(request.result).size);
    });
    return request;
  };
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name) {
      super(name);
      channels.add(this);
    }
  };
  for (const { prototype } of [IDBDatabase, BroadcastChannel]) {
    const { close } = prototype;
    prototype.close = function () {
      connections.delete(this);
      channels.delete(this);
      close.call(this);
    };
  }
  globalThis.opened = { count: () => ({ ever, most, now: connections.size, channels: channels.size }) };
}
