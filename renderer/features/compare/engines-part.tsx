// Facts that both engines report about themselves; those that differ come first.
import type { ReactNode } from 'react';
import { plural } from '../../ui/format.ts';
import type { Comparison } from './compare-view.ts';
import type { EngineFacts } from '#shared/protocol/index.ts';
import './compare-tables.css';

interface FactLine {
  readonly name: string;
  readonly wasm: string;
  readonly native: string;
}

interface FactsComparison {
  readonly versions: readonly FactLine[];
  readonly onlyWasm: readonly string[];
  readonly onlyNative: readonly string[];
  readonly sameOptions: readonly string[];
  readonly pragmas: readonly FactLine[];
  readonly samePragmas: readonly FactLine[];
}

const ABSENT = '–';

/** Facts that two engines report about themselves, as lines that differ and lines that do not. */
function compareFacts(wasm: EngineFacts, native: EngineFacts): FactsComparison {
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

export function EnginesPart({ comparison: { facts } }: { readonly comparison: Comparison }): ReactNode {
  const { wasm, native } = facts;
  if (!wasm || !native)
    return <p className="compare-empty">Only one engine is available, so there is nothing to compare it with.</p>;
  const { versions, onlyWasm, onlyNative, sameOptions, pragmas, samePragmas } = compareFacts(wasm, native);
  return (
    <div className="fill scroll inner-focus" tabIndex={0} aria-label="Engines">
      <FactTable caption="Version" lines={versions} marks />
      <FactTable caption="Settings that differ" lines={pragmas} />
      <table className="compare-facts selectable">
        <caption>Compile options that only one engine has</caption>
        <tbody>
          <tr>
            <OptionList label="Only wasm" options={onlyWasm} />
            <OptionList label="Only native" options={onlyNative} />
          </tr>
        </tbody>
      </table>
      <details className="compare-same">
        <summary>
          The same on both: {plural(samePragmas.length, 'setting')}, {plural(sameOptions.length, 'compile option')}
        </summary>
        <p className="selectable">{samePragmas.map(({ name, wasm: value }) => `${name} = ${value}`).join(', ')}</p>
        <p className="selectable">{sameOptions.join(', ')}</p>
      </details>
    </div>
  );
}

interface FactTableProps {
  readonly caption: string;
  readonly lines: readonly FactLine[];
  /** Lines may be equal: those that are not stand out. */
  readonly marks?: boolean;
}

function FactTable({ caption, lines, marks = false }: FactTableProps): ReactNode {
  return (
    <table className="compare-facts selectable">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">What is compared</span>
          </th>
          <th scope="col">wasm</th>
          <th scope="col">native</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, wasm, native }) => (
          <tr key={name} data-same={!marks || wasm === native}>
            <th scope="row">{name}</th>
            <td>{wasm}</td>
            <td>{native}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OptionList({ label, options }: { readonly label: string; readonly options: readonly string[] }): ReactNode {
  return (
    <td>
      <b>{label}</b>
      {options.length === 0 ? (
        <i>none</i>
      ) : (
        <ul>
          {options.map((option) => (
            <li key={option}>{option}</li>
          ))}
        </ul>
      )}
    </td>
  );
}
