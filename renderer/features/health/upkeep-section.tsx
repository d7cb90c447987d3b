// ANALYZE, VACUUM, REINDEX and PRAGMA optimize: what each would gain now, and the result of the last one.
import type { ReactNode } from 'react';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatElapsed } from '../../ui/format.ts';
import type { UpkeepKind } from './health-view.ts';
import type { SectionProps } from './section-props.ts';
import { expectedGain, expectedMs, resultText, UPKEEP } from './upkeep.ts';

const KINDS: readonly UpkeepKind[] = ['optimize', 'analyze', 'vacuum', 'reindex'];

const KINDS_ON_SERVER: readonly UpkeepKind[] = ['reindex'];

export function UpkeepSection({ database, view, overview, session }: SectionProps): ReactNode {
  const canMaintain = capabilitiesOf(database).maintenance;
  return (
    <div className="health-upkeep">
      {view.problem !== null && <p className="warn-note fixed small health-problem">{view.problem}</p>}
      {!canMaintain && (
        <p className="health-note">
          The server maintains its file itself: clients cannot run VACUUM, ANALYZE, or PRAGMA optimize.
        </p>
      )}
      {(canMaintain ? KINDS : KINDS_ON_SERVER).map((kind) => (
        <UpkeepCard key={kind} {...{ kind, database, view, overview, session }} />
      ))}
    </div>
  );
}

interface UpkeepCardProps extends Pick<SectionProps, 'database' | 'view' | 'overview' | 'session'> {
  readonly kind: UpkeepKind;
}

function UpkeepCard({ kind, database, view, overview, session }: UpkeepCardProps): ReactNode {
  const { title, button, meaning } = UPKEEP[kind];
  const { upkeep, running, sizes } = view;
  const ms = expectedMs(kind, sizes.reply, database);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p>{meaning}</p>
      <p className="health-gain">{expectedGain(kind, overview, sizes.reply)}</p>
      <div className="row wrap health-upkeep-run">
        <Button
          size="small"
          why={running?.work === 'upkeep' ? 'Something else is running' : null}
          onClick={() => void session.runUpkeep(kind)}
        >
          {button}
        </Button>
        {ms !== null && <span className="note">{durationText(ms)}</span>}
      </div>
      {upkeep?.kind === kind && (
        <p className="health-result" role="status">
          {resultText(upkeep)}
        </p>
      )}
    </section>
  );
}

const durationText = (ms: number): string =>
  ms < 1000
    ? 'Takes less than a second'
    : `Takes roughly ${formatElapsed(ms)}, estimated from the time it took to count this file`;
