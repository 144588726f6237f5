// Sees every WebAssembly instance that is made after this module is loaded, so that tests can damage its memory.

const made: WebAssembly.Instance[] = [];
const real = WebAssembly.Instance;

WebAssembly.Instance = new Proxy(real, {
  construct(target, args: ConstructorParameters<typeof WebAssembly.Instance>, newTarget) {
    const instance = Reflect.construct(target, args, newTarget) as WebAssembly.Instance;
    made.push(instance);
    return instance;
  },
});

/** The instances, oldest first. */
export function instances(): readonly WebAssembly.Instance[] {
  return made;
}
