// Facts that two engines report about themselves, as lines that differ and lines that do not.
import type { EngineFacts } from '#shared/protocol/index.ts';

export interface FactLine {
  readonly name: string;
  readonly wasm: string;
  readonly native: string;
}

export interface FactsComparison {
  readonly versions: readonly FactLine[];
  readonly onlyWasm: readonly string[];
  readonly onlyNative: readonly string[];
  readonly sameOptions: readonly string[];
  readonly pragmas: readonly FactLine[];
  readonly samePragmas: readonly FactLine[];
}

const ABSENT = '–';

export function compareFacts(wasm: EngineFacts, native: EngineFacts): FactsComparison {
  const onlyWasm = wasm.compileOptions.filter((option) => !native.compileOptions.includes(option));
  const names = [...new Set([...Object.keys(wasm.pragmas), ...Object.keys(native.pragmas)])].sort();
  const pragmas = names.map((name) => ({
    name,
    wasm: wasm.pragmas[name] ?? ABSENT,
    native: native.pragmas[name] ?? ABSENT,
  }));
  return {
    versions: [
      { name: 'SQLite', wasm: wasm.engine.sqliteVersion, native: native.engine.sqliteVersion },
      { name: 'Source id', wasm: wasm.engine.sqliteSourceId, native: native.engine.sqliteSourceId },
    ],
    onlyWasm,
    onlyNative: native.compileOptions.filter((option) => !wasm.compileOptions.includes(option)),
    sameOptions: wasm.compileOptions.filter((option) => !onlyWasm.includes(option)),
    pragmas: pragmas.filter((line) => line.wasm !== line.native),
    samePragmas: pragmas.filter((line) => line.wasm === line.native),
  };
}
