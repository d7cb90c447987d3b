// Two runs compared: time, rows, and the differences between their texts.
import type { ReactNode } from 'react';
import type { LoggedRun } from '#shared/protocol/index.ts';
import { formatCount, formatDuration, formatMoment } from '../../ui/format.ts';
import { LineDiff } from '../../ui/line-diff.tsx';
import { OUTCOME_WORDS, ratioLabel } from './run-labels.ts';
import { useWholeRun } from './use-whole-run.ts';

interface ComparedProps {
  readonly before: LoggedRun;
  readonly now: LoggedRun;
}

export function RunComparison({ before, now }: ComparedProps): ReactNode {
  return (
    <section className="gap-10 scroll list-view-details query-log-details" aria-label="Comparison of two runs">
      <Figures before={before} now={now} />
      <Texts before={before} now={now} />
    </section>
  );
}

function Figures({ before, now }: ComparedProps): ReactNode {
  const time = ({ timeMs }: LoggedRun): string => (timeMs === null ? '–' : formatDuration(timeMs));
  const count = (value: number | null): string => (value === null ? '–' : formatCount(value));
  const rows: readonly (readonly [string, string, string, string | null])[] = [
    ['Run at', formatMoment(before.startedAtMs), formatMoment(now.startedAtMs), null],
    ['Database', before.of.name, now.of.name, null],
    ['Outcome', OUTCOME_WORDS[before.outcome], OUTCOME_WORDS[now.outcome], null],
    ['Time', time(before), time(now), ratioLabel(before.timeMs ?? 0, now.timeMs ?? 0)],
    ['Rows', count(before.rows), count(now.rows), differenceOf(before.rows, now.rows)],
    [
      'Rows changed',
      count(before.rowsChanged),
      count(now.rowsChanged),
      differenceOf(before.rowsChanged, now.rowsChanged),
    ],
  ];
  return (
    <table className="small figures full-width query-log-figures">
      <thead>
        <tr>
          <td />
          <th scope="col">Earlier</th>
          <th scope="col">Later</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, left, right, difference]) => (
          <tr key={name} data-differs={left !== right}>
            <th scope="row">{name}</th>
            <td>{left}</td>
            <td>{right}</td>
            <td>{difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function differenceOf(before: number | null, now: number | null): string | null {
  if (before === null || now === null) return null;
  if (before === now) return 'same';
  return now > before ? `+${formatCount(now - before)}` : `−${formatCount(before - now)}`;
}

function Texts({ before, now }: ComparedProps): ReactNode {
  const [a, b] = [useWholeRun(before), useWholeRun(now)];
  for (const read of [a, b]) if (read && 'code' in read) return <p className="query-log-error">{read.message}</p>;
  if (!a || !b || !('sql' in a) || !('sql' in b)) return null;
  return (
    <LineDiff
      before={a.sql}
      after={b.sql}
      label="SQL of both runs"
      words={['earlier', 'later']}
      same="Both runs have the same SQL."
    />
  );
}
