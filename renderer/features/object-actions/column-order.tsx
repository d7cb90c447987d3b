// The columns of a table as a list that can be reordered with the keyboard or with buttons.
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { announce } from '../../ui/announcer.tsx';
import { IconButton } from '../../ui/button.tsx';

interface ColumnOrderProps {
  readonly names: readonly string[];
  /** Indexes into `names`. */
  readonly order: readonly number[];
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onChange: (order: readonly number[]) => void;
  /** Enter. */
  readonly onSubmit: () => void;
}

export function ColumnOrder({ names, order, list, onChange, onSubmit }: ColumnOrderProps): ReactNode {
  const id = useId();
  const [at, setAt] = useState(0);
  const go = (to: number): void => {
    const target = Math.max(0, Math.min(order.length - 1, to));
    setAt(target);
    document.getElementById(`${id}-${target}`)?.scrollIntoView({ block: 'nearest' });
  };
  const move = (to: number): void => {
    if (to < 0 || to >= order.length || to === at) return;
    const rest = order.filter((_, index) => index !== at);
    onChange([...rest.slice(0, to), order[at]!, ...rest.slice(to)]);
    go(to);
    announce(`${visibleName(names[order[at]!]!)} is column ${to + 1} of ${order.length}.`);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === 'Enter' && !event.altKey) return onSubmit();
    const last = order.length - 1;
    const places: Readonly<Record<string, number>> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last };
    const position = places[event.key];
    if (position === undefined) return;
    if (event.altKey) move(position);
    else go(position);
    event.preventDefault();
  };
  return (
    <div className="column-order">
      <div
        ref={list}
        className="scroll sunken column-order-list"
        role="listbox"
        aria-label="Columns"
        aria-describedby={`${id}-help`}
        aria-activedescendant={`${id}-${at}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {order.map((index, position) => (
          <Item
            key={index}
            id={`${id}-${position}`}
            name={names[index]!}
            position={position}
            isSelected={position === at}
            onSelect={() => setAt(position)}
          />
        ))}
      </div>
      <div className="row gap-4 small column-order-buttons">
        <MoveButtons at={at} last={order.length - 1} onMove={move} />
        <span id={`${id}-help`} className="dim">
          Alt with ↑, ↓, Home, or End moves the column.
        </span>
      </div>
    </div>
  );
}

interface ItemProps {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Item({ id, name, position, isSelected, onSelect }: ItemProps): ReactNode {
  return (
    <div
      id={id}
      className="select-row column-order-item"
      role="option"
      aria-selected={isSelected}
      onPointerDown={onSelect}
    >
      <span className="dim figures column-order-place">{position + 1}</span>
      <span>{visibleName(name)}</span>
    </div>
  );
}

interface MoveButtonsProps {
  readonly at: number;
  readonly last: number;
  readonly onMove: (to: number) => void;
}

function MoveButtons({ at, last, onMove }: MoveButtonsProps): ReactNode {
  return (
    <>
      <IconButton label="Move up" shortcut="Alt+↑" disabled={at === 0} onClick={() => onMove(at - 1)}>
        <ArrowUp size={15} />
      </IconButton>
      <IconButton label="Move down" shortcut="Alt+↓" disabled={at === last} onClick={() => onMove(at + 1)}>
        <ArrowDown size={15} />
      </IconButton>
    </>
  );
}
