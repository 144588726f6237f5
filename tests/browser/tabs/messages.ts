// Loses messages between the tabs of a database when a test says so. To be imported before a database is opened.

/** What became of the messages. */
export const messages = { sent: 0, lost: 0, lose: (): boolean => false };

const { postMessage } = BroadcastChannel.prototype;
BroadcastChannel.prototype.postMessage = function (message: unknown): void {
  // The test has a channel of its own.
  if (this.name.startsWith("tidegate:") && lost()) return;
  postMessage.call(this, message);
};

// A tombstone tells the other tabs, too. This listener is there before the library's.
addEventListener("storage", (event) => {
  if (lost()) event.stopImmediatePropagation();
});

function lost(): boolean {
  messages.sent++;
  const loses = messages.lose();
  if (loses) messages.lost++;
  return loses;
}
