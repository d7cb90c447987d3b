// Where and how a result was measured: machine, versions, engines, settings, disturbances.
import type { ReactNode } from 'react';
import type { BenchResult, EngineFacts } from '#shared/bench/result.ts';
import { CODE_MEANING, ENGINE_COLUMNS, machineFacts, profileFacts, runFacts, FactRows } from './facts.tsx';
import type { Fact } from './facts.tsx';
import { warningsOf } from './findings.ts';
import { engineLabel, formatTime } from './labels.ts';

export function EnvironmentView({ result }: { readonly result: BenchResult }): ReactNode {
  const warnings = warningsOf(result);
  return (
    <div className="fill scroll selectable bench-environment" role="region" aria-label="Environment" tabIndex={0}>
      {warnings.length > 0 && (
        <section className="bench-environment-wide">
          <h2>Before you trust this result</h2>
          {warnings.map(({ badge, text }) => (
            <p key={badge} className="break-words small warn-note bench-aside">
              <b>{badge}</b> {text}
            </p>
          ))}
        </section>
      )}
      <FactList title="Machine" facts={machineFacts(result)} />
      <FactList title="Run" facts={runFacts(result)} />
      <FactList title="Requested profile" facts={profileFacts(result)} />
      <section className="bench-environment-wide">
        <h2>Engines</h2>
        <EngineTable engines={result.env.engines} />
        <p className="note bench-note">{CODE_MEANING}</p>
        <CompileOptions engines={result.env.engines} />
      </section>
    </div>
  );
}

function FactList({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }): ReactNode {
  return (
    <section>
      <h2>{title}</h2>
      <FactRows facts={facts} />
    </section>
  );
}

function EngineTable({ engines }: { readonly engines: readonly EngineFacts[] }): ReactNode {
  const columns = [
    ...ENGINE_COLUMNS,
    { name: 'Clock step', isNumber: true, read: ({ timerStepMs }: EngineFacts) => formatTime(timerStepMs, 'ms') },
    { name: 'Runs in', isNumber: false, read: ({ runtime }: EngineFacts) => runtime },
  ];
  return (
    <table className="figures bench-list bench-engines" tabIndex={0} aria-label="Engines">
      <thead>
        <tr>
          {columns.map(({ name, isNumber }) => (
            <th key={name} className={isNumber ? 'bench-number' : ''}>
              {name}
            </th>
          ))}
          <th>SHA-256, source id</th>
        </tr>
      </thead>
      <tbody>
        {engines.map((engine) => (
          <tr key={engine.engine}>
            {columns.map(({ name, isNumber, read }) => (
              <td key={name} className={isNumber ? 'bench-number' : ''}>
                {read(engine) ?? '–'}
              </td>
            ))}
            <td title={[engine.sha256, engine.sourceId].filter(Boolean).join('\n')}>
              {[engine.sha256?.slice(0, 12), engine.sourceId?.slice(0, 32)].filter(Boolean).join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Compile options that not all engines share: they cause differences that have nothing to do with wasm or native. */
function CompileOptions({ engines }: { readonly engines: readonly EngineFacts[] }): ReactNode {
  const told = engines.filter(({ compileOptions }) => compileOptions.length > 0);
  const differing = told.flatMap(({ engine, compileOptions }) => {
    const own = compileOptions.filter((option) => !told.every((other) => other.compileOptions.includes(option)));
    return own.length > 0 ? [{ engine, own }] : [];
  });
  if (differing.length === 0) return null;
  return (
    <details className="break-words note bench-note">
      <summary className="text-color">Compile options that differ</summary>
      {differing.map(({ engine, own }) => (
        <p key={engine} className="note bench-note">
          <b>{engineLabel(engine)}:</b> {own.join(', ')}
        </p>
      ))}
    </details>
  );
}
