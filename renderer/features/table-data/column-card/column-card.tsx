// A card below a column: its values with their counts and check boxes, and its statistics. A click filters.
import { Popover } from '@base-ui/react/popover';
import { Square } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FilterEntry } from '#shared/protocol/rows.ts';
import type { ForeignKey } from '#shared/protocol/schema.ts';
import { visibleName } from '#shared/visible-text.ts';
import type { TableTab } from '../../../workbench/tabs/table.ts';
import { Button } from '../../../ui/button.tsx';
import { plural } from '../../../ui/format.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { ColumnStatistics } from './column-statistics.tsx';
import { useColumnProfile } from './use-column-profile.ts';
import type { CountedColumn } from './use-column-profile.ts';
import { useValueNames } from './use-value-names.ts';
import { ValueList } from './value-list.tsx';
import './column-card.css';

interface ColumnCardProps {
  readonly tab: TableTab;
  readonly column: string;
  /** The foreign key it belongs to. */
  readonly reference: ForeignKey | null;
  /** Bounds of the column on screen. */
  readonly anchor: () => DOMRect;
  /** Replaces the filters on the column. */
  onFilter(entries: readonly FilterEntry[]): void;
  onClose(): void;
}

export function ColumnCard({ anchor, ...props }: ColumnCardProps): ReactNode {
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          className="menu-positioner"
          anchor={{ getBoundingClientRect: anchor }}
          align="start"
          sideOffset={4}
          positionMethod="fixed"
        >
          <Popover.Popup
            className="menu column-card"
            initialFocus={() => document.querySelector<HTMLElement>('.column-card input')}
          >
            <Popover.Title className="column-card-title">{visibleName(props.column)}</Popover.Title>
            <CardContent {...props} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

type Part = 'values' | 'statistics';

function CardContent({ tab, column, reference, onFilter, onClose }: Omit<ColumnCardProps, 'anchor'>): ReactNode {
  const [part, setPart] = useState<Part>('values');
  const [search, setSearch] = useState('');
  const counted = useColumnProfile(tab, column, reference, part === 'values' ? search : '');
  const nameOf = useValueNames(tab.database, column, reference, counted.profile);
  const filter = (entries: readonly FilterEntry[]): void => {
    onFilter(entries);
    onClose();
  };
  return (
    <>
      <div className="column-card-parts" role="group" aria-label="Show">
        {(['values', 'statistics'] as const).map((each) => (
          <Button key={each} size="small" aria-pressed={part === each} onClick={() => setPart(each)}>
            {each === 'values' ? 'Values' : 'Statistics'}
          </Button>
        ))}
      </div>
      {part === 'values' ? (
        <ValueList
          column={column}
          filter={tab.view.filter}
          counted={counted}
          search={search}
          nameOf={nameOf}
          onSearch={setSearch}
          onFilter={filter}
        />
      ) : (
        <ColumnStatistics column={column} counted={counted} nameOf={nameOf} onFilter={filter} />
      )}
      <CountingState counted={counted} />
    </>
  );
}

export function CountingState({ counted }: { readonly counted: CountedColumn }): ReactNode {
  const { profile, progress, isStopped, error, cost, stop, agree } = counted;
  if (cost !== null)
    return (
      <div className="column-card-cost" role="status">
        <p>{cost}</p>
        <Button size="small" onClick={agree}>
          Count values
        </Button>
      </div>
    );
  if (error) return <p className="column-card-error">{error.message}</p>;
  if (progress) {
    const share = progress.total ? progress.done / progress.total : null;
    return (
      <div className="column-card-state" role="status">
        <ProgressBar label="Rows counted" share={share} />
        <Button size="small" variant="danger" onClick={stop}>
          <Square size={12} aria-hidden /> Stop
        </Button>
      </div>
    );
  }
  const rows = profile?.rows ?? 0;
  return (
    <p className="column-card-state" role="status">
      {isStopped ? `Stopped after ${plural(rows, 'row')}.` : `${plural(rows, 'row')} counted.`}
    </p>
  );
}
