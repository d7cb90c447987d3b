// A card beside a column, whose cells stay in view: the rules that give its cells a color. Changes apply at once.
import { Popover } from '@base-ui/react/popover';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { MOST_RULES, isEmptyRule, isScale } from './color-rule.ts';
import type { ColorRule } from './color-rule.ts';
import type { FieldColumn } from '../filter/filter-text.ts';
import { Button } from '../../ui/button.tsx';
import { ColorRuleLine } from './color-rule-line.tsx';
import { nextColor } from './next-color.ts';
import './color-card.css';

interface ColorCardProps extends RuleListProps {
  /** Rectangle of the column on screen. */
  readonly anchor: () => DOMRect;
  onClose(): void;
}

export function ColorCard({ anchor, onClose, ...list }: ColorCardProps): ReactNode {
  const { column, rules, onChange } = list;
  const close = (): void => {
    if (rules.some(isEmptyRule)) onChange(rules.filter((rule) => !isEmptyRule(rule)));
    onClose();
  };
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && close()}>
      <Popover.Portal>
        <Popover.Positioner
          className="menu-positioner"
          anchor={{ getBoundingClientRect: anchor }}
          side="right"
          align="start"
          sideOffset={4}
          positionMethod="fixed"
        >
          <Popover.Popup className="menu color-card">
            <Popover.Title className="color-card-title">Colors of {visibleName(column.name)}</Popover.Title>
            <RuleList {...list} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface RuleListProps {
  readonly column: FieldColumn & { readonly name: string };
  readonly rules: readonly ColorRule[];
  /** Colors that cells have without a rule of this list, as a sentence. */
  readonly note?: string | undefined;
  /** Reads the least and the greatest value of the column while it is shown. */
  readonly scaleEnds: (onMeasured: (from: string, to: string) => void) => ReactNode;
  onChange(rules: readonly ColorRule[]): void;
}

function RuleList({ column, rules, note, scaleEnds, onChange }: RuleListProps): ReactNode {
  /** The scale that waits for the least and the greatest value. */
  const [measured, setMeasured] = useState<ColorRule | null>(null);
  const list = useFocusOnNew(rules.length);
  const replace = (at: number, rule: ColorRule): void =>
    onChange(rules.map((each, index) => (index === at ? rule : each)));
  const addScale = (): void => {
    const scale = { color: nextColor(rules), from: '', to: '' };
    setMeasured(scale);
    onChange([...rules, scale]);
  };
  const waiting = measured === null ? -1 : rules.indexOf(measured);
  return (
    <div ref={list} className="stack color-card-content">
      {rules.length === 0 && <p className="color-card-note">Add a rule to color cells by their values.</p>}
      {rules.length > 0 && (
        <ol aria-label="Rules">
          {rules.map((rule, at) => (
            <ColorRuleLine
              key={at}
              rule={rule}
              place={at + 1}
              column={column}
              onChange={(next) => replace(at, next)}
              onRemove={() => onChange(rules.filter((_rule, index) => index !== at))}
            />
          ))}
        </ol>
      )}
      {waiting >= 0 &&
        scaleEnds((from, to) => {
          setMeasured(null);
          replace(waiting, { color: rules[waiting]!.color, from, to });
        })}
      <div className="color-card-buttons">
        <Button
          size="small"
          disabled={rules.length >= MOST_RULES}
          onClick={() => onChange([...rules, { color: nextColor(rules), when: '' }])}
        >
          Add condition
        </Button>
        <Button size="small" disabled={rules.length >= MOST_RULES || rules.some(isScale)} onClick={addScale}>
          Add scale
        </Button>
      </div>
      {rules.length > 1 && <p className="color-card-note">The first rule that matches a cell applies.</p>}
      {note !== undefined && <p className="color-card-note">{note}</p>}
    </div>
  );
}

/** Focuses a rule that was just added, so that the user can type. */
function useFocusOnNew(count: number): { readonly current: HTMLDivElement | null } {
  const list = useRef<HTMLDivElement>(null);
  const had = useRef(count);
  useEffect(() => {
    if (count > had.current) list.current?.querySelector<HTMLElement>('li:last-child input')?.focus();
    else if (count < had.current) list.current?.querySelector<HTMLElement>('.color-card-buttons button')?.focus();
    had.current = count;
  }, [count]);
  return list;
}
