// Who won, and by how much, in one sentence.
import { engineOf, referenceOf } from '#shared/bench/engines.ts';
import type { ProfileName } from '#shared/bench/profile.ts';
import { plural } from '../../../ui/format.ts';
import { engineLabel, formatRatio, threeDigits } from './labels.ts';
import type { Mean, SuiteRow, TableModel } from './table-model.ts';
import { standingOf } from './timing.ts';

/** The fastest engine of a suite besides the reference, and its time relative to the reference. */
interface Leader {
  readonly engine: string;
  readonly reference: string;
  readonly mean: Mean;
}

/** Null if nothing was compared with the reference engine of this profile. */
export function outcomeOf({ rows }: Pick<TableModel, 'rows'>, profile: ProfileName): string | null {
  const suites = rows.filter((row) => row.kind === 'suite');
  const leaders = suites.flatMap((suite) => leaderOf(suite, profile) ?? []);
  const [only] = leaders;
  if (!only) return null;
  if (suites.length === 1) return sentenceOf(only);
  const wins = new Map<string, number>();
  for (const leader of leaders) {
    const winner = winnerOf(leader);
    wins.set(winner, (wins.get(winner) ?? 0) + 1);
  }
  const parts = [...wins].sort((a, b) => b[1] - a[1]).map(([winner, count]) => `${winner} in ${count}`);
  return `Fastest of ${plural(leaders.length, 'suite')}, by geometric means: ${parts.join(', ')}.`;
}

function leaderOf({ means }: SuiteRow, profile: ProfileName): Leader | null {
  const compared = Object.entries(means).flatMap(([engine, mean]): Leader[] => {
    const definition = engineOf(engine);
    const reference = definition && referenceOf(definition, profile);
    // Engines with another reference, such as those in memory, are not compared with these.
    return reference === `native-${profile}` && reference !== engine ? [{ engine, reference, mean }] : [];
  });
  return compared.sort((a, b) => a.mean.value - b.mean.value)[0] ?? null;
}

function winnerOf({ engine, reference, mean }: Leader): string {
  const standing = standingOf(mean);
  if (standing === 'faster') return engineLabel(engine);
  if (standing === 'slower') return engineLabel(reference);
  return standing === 'same' ? 'no difference' : 'too few samples';
}

function sentenceOf(leader: Leader): string {
  const { engine, reference, mean } = leader;
  const { value, low, high, cells } = mean;
  const [ours, theirs] = [engineLabel(engine), engineLabel(reference)];
  const of = `geometric mean of ${plural(cells, 'test')}`;
  if (low === null || high === null)
    return `${ours} took ${formatRatio(value)} the time of ${theirs} (${of}). One sample each is too few to name a winner.`;
  const interval = `${threeDigits(low)} to ${threeDigits(high)}`;
  switch (standingOf(mean)) {
    case 'faster':
      return `${ours} won: ${formatRatio(value)} the time of ${theirs} (${interval}, ${of}).`;
    case 'slower':
      return `${theirs} won: ${ours} comes next, with ${formatRatio(value)} the time (${interval}, ${of}).`;
    default:
      return `No difference between ${ours} and ${theirs}: ${formatRatio(value)} the time, and the interval, ${interval}, includes 1 (${of}).`;
  }
}
