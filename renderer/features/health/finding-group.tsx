// All findings of one kind: what it means, and each with a link to its rows and a fix.
import { ChevronDown, CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { DatabaseId, Finding, FindingFact, Mend } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { openQuery } from '../../workbench/tabs/query.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import { findingText, KINDS, MEND_LABELS, tableOf } from './finding-labels.ts';
import type { HealthSession } from './health-session.ts';
import type { PageCheck } from './health-view.ts';

const SHOWN_FIRST = 20;
const SEVERITY_ICONS = { problem: CircleAlert, warning: TriangleAlert, hint: Info } as const;

export interface FoundIn {
  readonly check: PageCheck;
  readonly finding: Finding;
}

interface FindingGroupProps {
  readonly kind: FindingFact['kind'];
  readonly found: readonly FoundIn[];
  readonly database: DatabaseId;
  readonly session: HealthSession;
}

export function FindingGroup({ kind, found, database, session }: FindingGroupProps): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  const { severity, title, meaning } = KINDS[kind];
  const Icon = SEVERITY_ICONS[severity];
  const shown = showsAll ? found : found.slice(0, SHOWN_FIRST);
  return (
    <section className="health-group" data-severity={severity} aria-label={title}>
      <h2>
        <Icon size={15} role="img" aria-label={severity} /> {title}
        <span className="health-count">{formatCount(found.length)}</span>
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
    <li className="health-finding">
      <span className="health-finding-text selectable">{findingText(finding)}</span>
      <span className="health-finding-actions">
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
          <button type="button" className="button button-plain button-small" aria-label={`SQL of ${MEND_LABELS[does]}`}>
            <ChevronDown size={13} aria-hidden />
          </button>
        }
      />
    </span>
  );
}
