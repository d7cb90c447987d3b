// The findings in a database: which checks were made, and their findings by kind, the most serious first.
import { ChevronDown, CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { DatabaseId, Finding, FindingFact, Mend } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatDuration, plural } from '../../ui/format.ts';
import { shell } from '../../connection/shell.ts';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { openQuery } from '../../workbench/tabs/query.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import { CHECK_MEANINGS, CHECK_TITLES, findingText, KINDS, MEND_LABELS, tableOf } from './finding-labels.ts';
import type { HealthSession } from './health-session.ts';
import { isFromBefore, type CheckState, type PageCheck } from './health-view.ts';
import type { Severity } from './finding-labels.ts';
import type { SectionProps } from './section-props.ts';

const SHOWN_FIRST = 20;
const SEVERITY_ICONS = { problem: CircleAlert, warning: TriangleAlert, hint: Info } as const;

interface FoundIn {
  readonly check: PageCheck;
  readonly finding: Finding;
}

interface FindingGroupProps {
  readonly kind: FindingFact['kind'];
  readonly found: readonly FoundIn[];
  readonly database: DatabaseId;
  readonly session: HealthSession;
}

/** All findings of one kind: what it means, and each with a link to its rows and a fix. */
function FindingGroup({ kind, found, database, session }: FindingGroupProps): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  const { severity, title, meaning } = KINDS[kind];
  const Icon = SEVERITY_ICONS[severity];
  const shown = showsAll ? found : found.slice(0, SHOWN_FIRST);
  return (
    <section className="health-group" data-severity={severity} aria-label={title}>
      <h2>
        <Icon size={15} role="img" aria-label={severity} /> {title}
        <span className="dim tiny strong health-count">{formatCount(found.length)}</span>
      </h2>
      <p>{meaning}</p>
      <ul>
        {shown.map(({ check, finding }, at) => (
          <FindingLine key={at} check={check} finding={finding} database={database} session={session} />
        ))}
      </ul>
      {found.length > shown.length && (
        <button type="button" className="link-button" onClick={() => setShowsAll(true)}>
          Show {plural(found.length - shown.length, 'more', 'more')}
        </button>
      )}
    </section>
  );
}

interface FindingLineProps extends FoundIn {
  readonly database: DatabaseId;
  readonly session: HealthSession;
}

function FindingLine({ check, finding, database, session }: FindingLineProps): ReactNode {
  const table = tableOf(finding);
  const { where, mends } = finding;
  return (
    <li className="row wrap health-finding">
      <span className="break-words shrink-x health-finding-text selectable">{findingText(finding)}</span>
      <span className="gap-6 wrap health-finding-actions">
        {table !== null && (
          <Button size="small" onClick={() => openTable(database, table, { view: { where: where ?? '', filter: [] } })}>
            {where === null ? 'Open table' : 'Show rows'}
          </Button>
        )}
        {mends.map((mend) => (
          <MendButtons key={mend.does} {...{ check, finding, mend, database, session }} />
        ))}
      </span>
    </li>
  );
}

interface MendButtonsProps extends FindingLineProps {
  readonly mend: Mend;
}

function MendButtons({ check, finding, mend, database, session }: MendButtonsProps): ReactNode {
  const { does, sql } = mend;
  const entries: readonly MenuEntry[] = [
    { heading: sql },
    { label: 'Open in an SQL tab', run: () => void openQuery(database, { sql: `${sql};\n` }) },
    { label: 'Copy SQL', run: () => void shell.writeClipboard(`${sql};`) },
  ];
  return (
    <span className="health-mend">
      <Button size="small" title={sql} onClick={() => void session.mend(check, finding, mend)}>
        {MEND_LABELS[does]}
      </Button>
      <Menu
        align="end"
        entries={entries}
        trigger={
          <button type="button" className="button button-small" aria-label={`SQL of ${MEND_LABELS[does]}`}>
            <ChevronDown size={13} aria-hidden />
          </button>
        }
      />
    </span>
  );
}

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
      <ul className="sunken clip health-checks" aria-label="Checks">
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
        <p className="row gap-6 health-fine">
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
      <span className="strong">{CHECK_TITLES[check]}</span>
      <span className="note shrink-x break-words health-check-meaning">{CHECK_MEANINGS[check]}</span>
      <span className="note shrink-x break-words text-color health-check-state" role="status">
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
