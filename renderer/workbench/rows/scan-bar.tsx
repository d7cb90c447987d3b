// The bar below rows whose sort or filter would have a server read a whole table: the number of rows, and the question whether the server
// may read them.
import { useEffect, type ReactNode } from 'react';
import type { FilterOperator } from '#shared/filter-operators.ts';
import { isFilterGroup } from '#shared/protocol/index.ts';
import { updateTab, useStore } from '../../state/store.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { whyReadOnly } from '../../state/databases.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { openNewIndex } from '../objects/new-objects.ts';
import { whyNotWithout } from '../databases/no-transactions.ts';
import { isSameView, isWholeTable, type RowsView } from './scan-consent.ts';
import type { OpenedTable, ScanQuestion } from './use-table-source.ts';
import './rows.css';

interface ScanBarProps {
  readonly tab: Tab & { readonly database: string; readonly table: string; readonly view: RowsView };
  readonly opened: OpenedTable;
  /** Moves the keyboard focus on once the question is answered. */
  onLeave(): void;
}

export function ScanBar({ tab, opened: { source, question }, onLeave }: ScanBarProps): ReactNode {
  const isFront = useStore(({ activeTabId }) => activeTabId === tab.id);
  useRowsKnown(tab.id, question);
  const isWhole = source !== null && question !== null && isWholeTable(source);
  const isShown = question !== null && source !== null && !isWhole && (source.extent.exact || source.extent.rows > 0);
  const isAgain = source !== null && isSameView(source.view, tab.view);
  const cost = isShown
    ? `${isAgain ? 'The database has changed since these rows were read. ' : ''}${question.cost}`
    : null;
  useEffect(() => {
    if (isWhole) question.agree();
  }, [isWhole, question]);
  useEffect(() => {
    if (cost !== null && isFront) announce(`${cost} The rows are shown as before.`);
  }, [cost, isFront]);
  if (!isShown || cost === null) return null;
  const { database, table, view } = tab;
  const indexed = columnsToIndex(view);
  const answer = (act: () => void) => (): void => {
    act();
    onLeave();
  };
  const cancel = answer(() => {
    question.dismiss();
    if (isAgain) return;
    const { sort, filter, where } = source.view;
    updateTab<typeof tab>(tab.id, { view: { ...view, sort, filter, where } });
  });
  return (
    <div
      className="row warn-note wrap small scan-bar"
      role="group"
      aria-label={`${labelOf(view)} without an index`}
      onKeyDown={(event) => event.key === 'Escape' && cancel()}
    >
      <p>{cost}</p>
      <Button size="small" onClick={answer(question.agree)}>
        {labelOf(view)} {isAgain ? 'again' : 'anyway'}
      </Button>
      {indexed.length > 0 && (
        <Button
          size="small"
          why={whyReadOnly(database) ?? whyNotWithout(database, 'index')}
          onClick={() => openNewIndex(database, table, indexed)}
        >
          Create index…
        </Button>
      )}
      <Button size="small" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}

/** Renders again when more is known about the shown rows, while there is a question. */
const useRowsKnown = (tabId: string, question: ScanQuestion | null): unknown =>
  useStore(({ tabStatus }) => question && `${tabStatus[tabId]?.rows} ${tabStatus[tabId]?.exact}`);

function labelOf({ sort, filter, where }: RowsView): string {
  if (filter.length === 0 && where === '') return 'Sort';
  return sort.length === 0 ? 'Filter' : 'Sort and filter';
}

const SEEKS: ReadonlySet<FilterOperator> = new Set(['=', '<', '<=', '>', '>=', 'between', 'in', 'is-null']);

/** Columns of which an index could serve the view; none where no index of columns can. */
function columnsToIndex({ sort, filter, where }: RowsView): readonly string[] {
  if (where !== '') return [];
  const terms = filter.map((entry) => (isFilterGroup(entry) || !SEEKS.has(entry.operator) ? null : entry.column));
  if (terms.some((column) => column === null)) return [];
  return [...new Set([...terms.filter((column) => column !== null), ...sort.map(({ column }) => column)])];
}
