// Where and how a result was measured: machine, versions, engines, settings, disturbances.
import type { ReactNode } from 'react';
import type { BenchResult, EngineFacts } from '#shared/bench/result.ts';
import { CODE_MEANING, machineFacts, profileFacts, runFacts } from './facts.ts';
import type { Fact } from './facts.ts';
import { FactRows } from './fact-rows.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { warningsOf } from './warnings.ts';
import { engineLabel, formatTime } from './labels.ts';

export function EnvironmentView({ result }: { readonly result: BenchResult }): ReactNode {
  const warnings = warningsOf(result);
  return (
    <div className="fill scroll selectable bench-environment" role="region" aria-label="Environment" tabIndex={0}>
      {warnings.length > 0 && (
        <section className="bench-environment-wide">
          <h2>Before you trust this result</h2>
          {warnings.map(({ badge, text }) => (
            <p key={badge} className="break-words small warn-note bench-warning-text">
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
  return (
    <table className="small figures bench-engine-table" tabIndex={0} aria-label="Engines">
      <thead>
        <tr>
          <th>Engine</th>
          <th>Version</th>
          <th>Code</th>
          <th className="bench-number">Size</th>
          <th className="bench-number">gzip</th>
          <th className="bench-number">Compile</th>
          <th className="bench-number">Instantiate</th>
          <th className="bench-number">Start</th>
          <th className="bench-number">Clock step</th>
          <th>Runs in</th>
          <th>SHA-256, source id</th>
        </tr>
      </thead>
      <tbody>
        {engines.map(({ engine, version, runtime, startMs, timerStepMs, sha256, sourceId, code }) => (
          <tr key={engine}>
            <td>{engineLabel(engine)}</td>
            <td>{version}</td>
            <CodeCells code={code} />
            <td className="bench-number">{formatTime(startMs, 'ms')}</td>
            <td className="bench-number">{formatTime(timerStepMs, 'ms')}</td>
            <td>{runtime}</td>
            <td title={[sha256, sourceId].filter(Boolean).join('\n')}>
              {[sha256?.slice(0, 12), sourceId?.slice(0, 32)].filter(Boolean).join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CodeCells({ code }: { readonly code: EngineFacts['code'] | undefined }): ReactNode {
  const time = (ms: number | null | undefined): string => (typeof ms === 'number' ? formatTime(ms, 'ms') : '–');
  return (
    <>
      <td>{code?.files.join(', ') ?? '–'}</td>
      <td className="bench-number">{code ? formatBytes(code.bytes) : '–'}</td>
      <td className="bench-number">{code ? formatBytes(code.gzipBytes) : '–'}</td>
      <td className="bench-number">{time(code?.compileMs)}</td>
      <td className="bench-number">{time(code?.instantiateMs)}</td>
    </>
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
    <details className="break-words note bench-options">
      <summary className="text-color">Compile options that differ</summary>
      {differing.map(({ engine, own }) => (
        <p key={engine} className="note bench-note">
          <b>{engineLabel(engine)}:</b> {own.join(', ')}
        </p>
      ))}
    </details>
  );
}
