// Everything behind one number: what was executed, under which settings, and every sample.
import { X } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { BenchCell, BenchResult, ShownStatement } from '#shared/bench/result.ts';
import { summarize } from '#shared/bench/statistics.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { formatBytes, formatCount, formatFixed } from '../../../ui/format.ts';
import { useWidth } from '../../../ui/use-width.ts';
import { boxPlot, driftText, intervalOf, timeline } from '../charts/charts.ts';
import { SceneSvg } from '../charts/scene-view.tsx';
import { codeText, settingsOf, FactRows } from './facts.tsx';
import type { FactRow } from './facts.tsx';
import { PublishedList, isBad, RatioChip } from './result-table.tsx';
import { referenceCell } from './table-model.ts';
import { shownOf, TIMINGS, engineLabel, formatTime, sizeText, standingText, statusWord, suiteTitle } from './labels.ts';
import type { Shown, Timing } from './labels.ts';

interface CellDetailsProps {
  readonly result: BenchResult;
  readonly cell: BenchCell;
  readonly timing: Timing;
  readonly onClose: () => void;
  /** `run` is null if the cell cannot be measured again; `why` is the reason. */
  readonly rerun: { readonly run: (() => void) | null; readonly why: string };
}

export function CellDetails({ result, cell, timing, onClose, rerun }: CellDetailsProps): ReactNode {
  const reference = referenceCell(result, cell);
  const shown = shownOf(cell, timing, reference);
  return (
    <aside
      className="stack shrink-x shrink-y quiet-focus bench-details"
      aria-label={`Details of ${cell.test}, ${engineLabel(cell.engine)}`}
      data-pane
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header className="row gap-6 ruled sunken bench-pad">
        <div className="fill-x">
          <h2 className="cut small strong">
            {cell.test} <span className="dim">{sizeText(cell.suite, cell.size)}</span>
          </h2>
          <p className="cut note">
            {engineLabel(cell.engine)} · {suiteTitle(cell.suite)}
          </p>
        </div>
        <Button size="small" disabled={!rerun.run} title={rerun.why} onClick={() => rerun.run?.()}>
          Re-run
        </Button>
        <IconButton label="Close details" shortcut="Esc" onClick={onClose}>
          <X size={15} />
        </IconButton>
      </header>
      <div className="fill scroll selectable bench-details-body">
        {cell.status !== 'ok' && (
          <p className={`break-words bench-verdict ${isBad(cell.status) ? 'error-note' : 'sunken'}`}>
            <b>{statusWord(cell.status)}</b> {cell.why}
          </p>
        )}
        {cell.status === 'ok' && cell.why && <p className="break-words sunken bench-verdict">{cell.why}</p>}
        {shown.samples.length > 0 && (
          <Samples cell={cell} shown={shown} timing={timing} reference={reference} result={result} />
        )}
        <Timings cell={cell} reference={reference} />
        <PublishedList suite={cell.suite} test={cell.test} size={cell.size} />
        <section>
          <h3 className="note strong bench-heading">Transaction</h3>
          <p>{cell.transaction}</p>
        </section>
        <Statements statements={cell.statements} />
        <Facts result={result} cell={cell} />
      </div>
    </aside>
  );
}

interface SamplesProps {
  readonly result: BenchResult;
  readonly cell: BenchCell;
  readonly shown: Shown;
  readonly timing: Timing;
  readonly reference: BenchCell | null;
}

function Samples({ result, cell, shown, timing, reference }: SamplesProps): ReactNode {
  const [box, width] = useWidth<HTMLElement>(320, 200);
  const { samples } = shown;
  const perRound = timing === 'engine' ? cell.perRound : 1;
  const facts = useMemo(() => sampleFacts(cell, samples, perRound), [cell, samples, perRound]);
  const other = reference && reference !== cell ? shownOf(reference, timing, null).samples : [];
  const plot = boxPlot({
    title: `Samples of ${cell.test}`,
    unit: cell.unit,
    rows: [
      { label: engineLabel(cell.engine), samples, perRound, isReference: false },
      ...(reference ? [{ label: engineLabel(reference.engine), samples: other, perRound, isReference: true }] : []),
    ],
    width,
    isClose: true,
  });
  return (
    <section ref={box}>
      <h3 className="note strong bench-heading">
        {formatCount(samples.length)} {samples.length === 1 ? 'sample' : 'samples'}
        {shown.ratio && (
          <>
            <RatioChip ratio={shown.ratio} /> <span>{standingText(shown.ratio, cell.unit)}</span>
          </>
        )}
      </h3>
      <SceneSvg scene={plot} />
      <FactRows facts={facts} isNarrow />
      {samples.length > 1 && (
        <>
          <h3 className="note strong bench-heading">In the order they were taken</h3>
          <SceneSvg
            scene={timeline({
              title: `${cell.test}, ${engineLabel(cell.engine)}`,
              unit: cell.unit,
              samples,
              perRound,
              width,
              height: 130,
            })}
          />
          <p className="note bench-note">{driftText(samples)}</p>
        </>
      )}
      {result.env.events.length > 0 && (
        <p className="note bench-note">Disturbances during the run are listed under Environment.</p>
      )}
    </section>
  );
}

function sampleFacts(cell: BenchCell, samples: readonly number[], perRound: number): readonly FactRow[] {
  const summary = summarize(samples);
  const interval = intervalOf({ samples, perRound });
  const time = (value: number): string => formatTime(value, cell.unit);
  return [
    ['Median', time(summary.median)],
    ['95% interval', `${time(interval.low)} to ${time(interval.high)}`],
    ...(cell.kind === 'latency'
      ? (['p90', 'p95', 'p99'] as const).map((name): FactRow => [name, time(summary[name])])
      : [['p95', time(summary.p95)] as const]),
    [cell.unit === 'bytes' ? 'Least' : 'Fastest', time(summary.min)],
    [cell.unit === 'bytes' ? 'Most' : 'Slowest', time(summary.max)],
    ...(cell.unit === 'bytes' ? [] : [['Per second', perSecond(summary.median, cell)] as const]),
    ['Spread (MAD)', time(summary.mad)],
    ['Variation (CV)', `${formatFixed(summary.cv * 100, 1)}%`],
    ['Outliers', `${summary.outliers.mild} mild, ${summary.outliers.severe} severe`],
  ];
}

function perSecond(median: number, { unit }: BenchCell): string {
  if (median <= 0) return 'too fast to measure';
  const count = (unit === 'us' ? 1e6 : 1e3) / median;
  return count >= 10 ? formatCount(Math.round(count)) : formatFixed(count, 2);
}

function Timings({ cell, reference }: { readonly cell: BenchCell; readonly reference: BenchCell | null }): ReactNode {
  if (cell.status !== 'ok') return null;
  return (
    <section>
      <h3 className="note strong bench-heading">Three timings</h3>
      <FactRows
        facts={[
          ...TIMINGS.map(({ id, label, title }): FactRow => [label, timingText(cell, id, reference), title]),
          ['Window busy', cell.windowBusyMs.length > 0 ? formatTime(summarize(cell.windowBusyMs).median, 'ms') : null],
        ]}
      />
    </section>
  );
}

function timingText(cell: BenchCell, timing: Timing, reference: BenchCell | null): ReactNode {
  const { median, ratio } = shownOf(cell, timing, reference);
  return (
    <>
      {median === null ? 'not measured' : formatTime(median, cell.unit)} {ratio && <RatioChip ratio={ratio} />}
    </>
  );
}

const PARTS = [
  ['prepared', 'Before the timer'],
  ['timed', 'Timed'],
  ['checked', 'Checked afterwards'],
] as const;

function Statements({ statements }: { readonly statements: readonly ShownStatement[] }): ReactNode {
  return PARTS.map(([part, title]) => {
    const own = statements.filter((statement) => statement.part === part);
    if (own.length === 0) return null;
    return (
      <section key={part}>
        <h3 className="note strong bench-heading">{title}</h3>
        {own.map(({ sql, times }, index) => (
          <pre key={index} className="sql-block bench-sql">
            {times > 1 && <em className="dim tiny">{formatCount(times)} times</em>}
            {sql}
          </pre>
        ))}
      </section>
    );
  });
}

function Facts({ result, cell }: { readonly result: BenchResult; readonly cell: BenchCell }): ReactNode {
  const engine = result.env.engines.find((facts) => facts.engine === cell.engine);
  const differences = settingsOf(result, cell);
  const facts: readonly FactRow[] = [
    ['Version', engine?.version],
    ['Source id', engine?.sourceId],
    ['Code', codeText(engine?.code)],
    ['SHA-256 of the file', engine?.sha256],
    ['Runs in', engine?.runtime],
    ['Clock step', engine && formatTime(engine.timerStepMs, 'ms')],
    ['Batch', cell.batch > 1 ? `${formatCount(cell.batch)} runs in one sample` : 'one run per sample'],
    ['Rows', cell.rows === null ? null : formatCount(cell.rows)],
    ['Checksum', cell.checksum],
    ['File afterwards', cell.fileBytesAfter === null ? null : formatBytes(cell.fileBytesAfter)],
    ['Wasm memory afterwards', cell.heapBytesAfter === null ? null : formatBytes(cell.heapBytesAfter)],
    ['Settings read back', differences.length > 0 ? differences.join('\n') : 'as the profile requires'],
  ];
  return (
    <section>
      <h3 className="note strong bench-heading">Engine and settings</h3>
      <FactRows facts={facts} />
      {engine && engine.compileOptions.length > 0 && (
        <details className="break-words note bench-note">
          <summary className="text-color">{engine.compileOptions.length} compile options</summary>
          {engine.compileOptions.join(', ')}
        </details>
      )}
    </section>
  );
}
