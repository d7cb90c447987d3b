// The fuses of the packaged program, read from its bytes by the format Electron documents, not by the tool that has set them.
import { readFileSync } from 'node:fs';

/** Followed by the version of the wire, the number of fuses and one character for each. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const WIRE_VERSION = 1;
const STATES: Readonly<Record<string, FuseState>> = { '0': 'off', '1': 'on', r: 'removed' };

type FuseState = 'off' | 'on' | 'removed' | 'inherited';

/** Listed in the order of the wire. Fuses newer than the binary are not in it. */
const WANTED: readonly (readonly [name: string, state: FuseState])[] = [
  ['RunAsNode', 'off'],
  ['EnableCookieEncryption', 'off'],
  ['EnableNodeOptionsEnvironmentVariable', 'off'],
  ['EnableNodeCliInspectArguments', 'off'],
  ['EnableEmbeddedAsarIntegrityValidation', 'on'],
  ['OnlyLoadAppFromAsar', 'on'],
  ['LoadBrowserProcessSpecificV8Snapshot', 'off'],
  ['GrantFileProtocolExtraPrivileges', 'off'],
  // Without trap handlers wasm checks each access to its memory, which costs speed.
  ['WasmTrapHandlers', 'on'],
];

/** Fuses in the wrong state; one binary of a Mac holds a wire for each processor. */
export function wrongFuses(program: string): string[] {
  const wires = readFuses(readFileSync(program));
  if (wires.length === 0) return [`${program} has no fuses`];
  return wires.flatMap((states) =>
    states.flatMap((state, at) => {
      const [name, wanted] = WANTED[at] ?? [];
      return wanted === undefined || state === wanted ? [] : [`${name} is ${state} instead of ${wanted}`];
    }),
  );
}

/** @throws for an unknown version of the fuse wire */
export function readFuses(binary: Buffer): FuseState[][] {
  const wires: FuseState[][] = [];
  for (let at = binary.indexOf(SENTINEL); at !== -1; at = binary.indexOf(SENTINEL, at + 1)) {
    const wire = at + SENTINEL.length;
    const version = binary[wire]!;
    if (version !== WIRE_VERSION) throw new Error(`A fuse wire of version ${version}`);
    const states = binary.subarray(wire + 2, wire + 2 + binary[wire + 1]!).toString('latin1');
    wires.push([...states].map((state) => STATES[state] ?? 'inherited'));
  }
  return wires;
}
