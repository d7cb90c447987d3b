// How long both engines take: the first run, and warm ones in the engine, in transit and on the screen.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatDuration, formatFixed, plural } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { ENGINES } from './sides.ts';
import type { Both, EngineKind } from '../../workbench/databases/comparison-sides.ts';
import { ratioOf, spreadOf, type Spread } from './statistics.ts';
import { LEAST_RUNS, type RunTimes, type Timing } from './timing.ts';

interface Measure {
  readonly label: string;
  readonly explanation: string;
  readonly of: (times: RunTimes) => number;
}

const MEASURES: readonly Measure[] = [
  { label: 'Engine', explanation: 'compiling, running, and packing all rows', of: ({ engine }) => engine },
  {
    label: 'Transport',
    explanation: 'from the request until the first 2,000 rows are here',
    of: ({ transport }) => transport,
  },
  { label: 'Paint', explanation: 'one screen of rows', of: ({ paint }) => paint },
  {
    label: 'Total',
    explanation: 'from the request to the painted rows',
    of: (times) => times.engine + times.transport + times.paint,
  },
];

interface TimesPartProps {
  readonly timing: Timing | null;
  readonly onMeasure: () => void;
  readonly onStop: () => void;
}

export function TimesPart({ timing, onMeasure, onStop }: TimesPartProps): ReactNode {
  if (!timing) return <p className="compare-empty">There is nothing to measure: neither engine could run it.</p>;
  const { first, warm, state, why } = timing;
  const runs = warm.native.length;
  const firstMs = (engine: EngineKind): Spread | null => (first[engine] === null ? null : spreadOf([first[engine]]));
  return (
    <div className="fill scroll inner-focus" tabIndex={0} aria-label="Times">
      <div className="gap-14 compare-times">
        <MeasureRow
          label="First run"
          explanation="in the engine, as the rows were shown"
          spreads={{ wasm: firstMs('wasm'), native: firstMs('native') }}
          isSingle
        />
        {runs > 0 && (
          <h2>
            Warm runs, median of {runs} each
            {runs < LEAST_RUNS && state !== 'running' && `: too few for a reliable result`}
          </h2>
        )}
        {runs > 0 &&
          MEASURES.map(({ label, explanation, of }) => (
            <MeasureRow
              key={label}
              label={label}
              explanation={explanation}
              spreads={{ wasm: spreadOf(warm.wasm.map(of)), native: spreadOf(warm.native.map(of)) }}
            />
          ))}
      </div>
      {why && <p className="note compare-times-note">{why}</p>}
      <div className="row note gap-10 compare-times-actions">
        {state === 'running' ? (
          <>
            <Button size="small" variant="danger" onClick={onStop}>
              Stop
            </Button>
            <ProgressBar label="Rounds" share={Math.min(1, runs / LEAST_RUNS)} />
            <span role="status">{plural(runs, 'round')} done</span>
          </>
        ) : (
          !(why !== null && state === 'done') && (
            <Button size="small" onClick={onMeasure}>
              {runs > 0 ? 'Measure again' : `Measure (about ${formatDuration(Math.max(1, timing.estimateMs))})`}
            </Button>
          )
        )}
      </div>
      {runs > 0 && (
        <p className="note compare-times-note">
          Rounds run wasm, native, then native, wasm. Lines show the middle half of all runs; where they overlap there
          is no difference. Both engines pack rows the same way, and both track changes as usual.
        </p>
      )}
    </div>
  );
}

interface MeasureRowProps {
  readonly label: string;
  readonly explanation: string;
  readonly spreads: Both<Spread | null>;
  readonly isSingle?: boolean;
}

function MeasureRow({ label, explanation, spreads, isSingle = false }: MeasureRowProps): ReactNode {
  const { wasm, native } = spreads;
  const longest = Math.max(wasm?.high ?? 0, native?.high ?? 0, wasm?.median ?? 0, native?.median ?? 0);
  return (
    <section className="compare-measure" aria-label={label}>
      <header>
        <b>{label}</b>
        <span>{explanation}</span>
        {!isSingle && wasm && native && <em>{verdict(wasm, native)}</em>}
      </header>
      {ENGINES.map((engine) => (
        <Bar key={engine} engine={engine} spread={spreads[engine]} longest={longest} isSingle={isSingle} />
      ))}
    </section>
  );
}

interface BarProps {
  readonly engine: EngineKind;
  readonly spread: Spread | null;
  readonly longest: number;
  readonly isSingle: boolean;
}

function Bar({ engine, spread, longest, isSingle }: BarProps): ReactNode {
  const share = (ms: number): string => `${longest > 0 ? (ms / longest) * 100 : 0}%`;
  return (
    <div className="gap-10 small figures compare-time">
      <span className="dim">{engine}</span>
      <span className="anchor compare-time-track" data-engine={engine} aria-hidden>
        {spread && <i style={{ width: share(spread.median) }} />}
        {/* Drawn anew for each measurement, as in a chart. */}
        {spread && !isSingle && (
          <s
            key={`${spread.low} ${spread.high} ${longest}`}
            style={{ left: share(spread.low), right: `calc(100% - ${share(spread.high)})` }}
          />
        )}
      </span>
      <span className="compare-time-value">
        {spread ? preciseDuration(spread.median) : '–'}
        {spread && !isSingle && (
          <small>
            {preciseDuration(spread.low)} – {preciseDuration(spread.high)}
          </small>
        )}
      </span>
    </div>
  );
}

function verdict(wasm: Spread, native: Spread): string {
  const ratio = ratioOf(wasm, native);
  if (!ratio) return 'no difference';
  return `${ratio.faster === 'first' ? 'wasm' : 'native'} ${ratio.times < 10 ? formatFixed(ratio.times, 1) : formatCount(Math.round(ratio.times))}× faster`;
}

/** “0.42 ms”, if a whole number would hide the difference. */
function preciseDuration(ms: number): string {
  if (ms >= 100) return formatDuration(ms);
  return `${formatFixed(ms, ms < 10 ? 2 : 1)} ms`;
}
