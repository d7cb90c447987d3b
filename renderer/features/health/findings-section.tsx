// The findings in a database: which checks were made, and their findings by kind, the most serious first.
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FindingFact } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatDuration, plural } from '../../ui/format.ts';
import { FindingGroup } from './finding-group.tsx';
import type { FoundIn } from './finding-group.tsx';
import { CHECK_MEANINGS, CHECK_TITLES, KINDS } from './finding-labels.ts';
import type { Severity } from './finding-labels.ts';
import { isFromBefore } from './health-view.ts';
import type { CheckState, PageCheck } from './health-view.ts';
import type { SectionProps } from './section-props.ts';
import './findings-section.css';

const CHECKS: readonly PageCheck[] = ['structure', 'keys', 'values', 'text', 'integrity'];
const SEVERITIES: readonly Severity[] = ['problem', 'warning', 'hint'];

export function FindingsSection({ database, view, session }: SectionProps): ReactNode {
  const found = CHECKS.flatMap((check): readonly FoundIn[] =>
    (view.checks[check].reply?.findings ?? []).map((finding) => ({ check, finding })),
  );
  const kinds = (Object.keys(KINDS) as FindingFact['kind'][]).filter((kind) =>
    found.some(({ finding }) => finding.kind === kind),
  );
  const more = CHECKS.reduce((sum, check) => sum + (view.checks[check].reply?.more ?? 0), 0);
  const done = CHECKS.filter((check) => view.checks[check].state === 'done');
  return (
    <div className="health-findings">
      <ul className="health-checks" aria-label="Checks">
        {CHECKS.map((check) => (
          <CheckLine
            key={check}
            check={check}
            state={view.checks[check]}
            isOld={isFromBefore(view, view.checks[check].reply)}
            isRunning={view.running?.work === check}
            onCheck={() => void session.check(check)}
          />
        ))}
      </ul>
      {found.length === 0 && done.length > 0 && (
        <p className="health-fine">
          <CircleCheck size={16} aria-hidden />{' '}
          {done.length === CHECKS.length
            ? 'No problems were found.'
            : 'No problems were found by the checks run so far.'}
        </p>
      )}
      {SEVERITIES.flatMap((severity) =>
        kinds
          .filter((kind) => KINDS[kind].severity === severity)
          .map((kind) => (
            <FindingGroup
              key={kind}
              kind={kind}
              found={found.filter(({ finding }) => finding.kind === kind)}
              database={database}
              session={session}
            />
          )),
      )}
      {more > 0 && <p className="health-note">{formatCount(more)} more of these kinds are not shown.</p>}
    </div>
  );
}

interface CheckLineProps {
  readonly check: PageCheck;
  readonly state: CheckState;
  readonly isOld: boolean;
  readonly isRunning: boolean;
  readonly onCheck: () => void;
}

function CheckLine({ check, state, isOld, isRunning, onCheck }: CheckLineProps): ReactNode {
  const verb = state.state === 'none' ? 'Check' : 'Check again';
  return (
    <li>
      <span className="health-check-title">{CHECK_TITLES[check]}</span>
      <span className="health-check-meaning">{CHECK_MEANINGS[check]}</span>
      <span className="health-check-state" role="status">
        {isRunning ? 'Checking…' : stateText(state, isOld)}
      </span>
      <Button size="small" aria-label={`${verb}: ${CHECK_TITLES[check]}`} disabled={isRunning} onClick={onCheck}>
        {verb}
      </Button>
    </li>
  );
}

function stateText({ state, reply, problem }: CheckState, isOld: boolean): string {
  if (state === 'failed') return problem ?? '';
  if (state === 'stopped') return 'Stopped';
  if (state === 'none' || !reply) return 'Not checked yet';
  const count = reply.findings.length + reply.more;
  const result = count === 0 ? 'Nothing found' : plural(count, 'finding');
  return isOld ? `${result}, before the last change` : `${result}, in ${formatDuration(reply.timeMs)}`;
}
