// Finds Litestream's own program on this computer: the one the user has chosen, otherwise the first on the PATH.
import * as v from 'valibot';
import type { ReplicaProgram } from '#shared/replicas.ts';
import { findProgram, isProgram } from '../find-program.ts';
import { readJson, writeJson } from '../json-file.ts';
import { runProgram } from './run-program.ts';

const VERSION_TIMEOUT_MS = 10_000;

const MISSING =
  'Litestream was not found on this computer. Install it (litestream.io/install), or choose the program if it is already here.';

export class LitestreamProgram {
  readonly #storePath: string;
  readonly #pathVariable: string;
  #chosen: string | null;

  /** @param storePath a JSON file that remembers the choice */
  constructor(storePath: string, pathVariable: string) {
    this.#storePath = storePath;
    this.#pathVariable = pathVariable;
    const stored = readJson(storePath);
    this.#chosen = v.is(v.object({ program: v.string() }), stored) ? stored.program : null;
  }

  async find(): Promise<ReplicaProgram> {
    const path =
      this.#chosen !== null && isProgram(this.#chosen) ? this.#chosen : findProgram('litestream', this.#pathVariable);
    return path === null ? { why: MISSING } : ask(path);
  }

  /** Remembers the program if it is Litestream. */
  async choose(path: string): Promise<ReplicaProgram> {
    const asked = await ask(path);
    if ('version' in asked) {
      this.#chosen = path;
      writeJson(this.#storePath, { program: path });
    }
    return asked;
  }
}

/** Version 0.3 keeps replicas of another kind and has none of the commands needed here. */
async function ask(path: string): Promise<ReplicaProgram> {
  const run = runProgram(path, ['version'], process.env, VERSION_TIMEOUT_MS);
  const outcome = await run.ended;
  const [, version, minor] =
    ('output' in outcome && /^v?(\d+\.(\d+)\.\d+(?!\d)\S*)$/.exec(outcome.output.trimEnd())) || [];
  if (version === undefined) return { why: `${path} is not Litestream, or cannot be run here.` };
  if (version.startsWith('0.') && Number(minor) < 5)
    return { why: `${path} is Litestream ${version}. Version 0.5 or later is needed.` };
  return { version, path };
}
