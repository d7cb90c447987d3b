// A card beside a column, whose cells stay in view: the rules that give its cells a color. What is typed applies at once.
import { Popover } from '@base-ui/react/popover';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { MOST_RULES, isEmptyRule, isScale, rulesOf, withRules } from '../../../workbench/color-rules/color-rule.ts';
import type { ColorRule } from '../../../workbench/color-rules/color-rule.ts';
import type { FieldColumn } from '../../../workbench/filter/filter-text.ts';
import type { TableTab } from '../../../workbench/table-tabs.ts';
import { Button } from '../../../ui/button.tsx';
import { changeTableColumns } from '../change-view.ts';
import { ColorRuleLine } from './color-rule-line.tsx';
import { nextColor } from './next-color.ts';
import { ScaleEnds } from './scale-ends.tsx';
import './color-card.css';

interface ColorCardProps {
  readonly tab: TableTab;
  readonly column: FieldColumn & { readonly name: string };
  /** Where the column is on screen. */
  readonly anchor: () => DOMRect;
  onClose(): void;
}

export function ColorCard({ tab, column, anchor, onClose }: ColorCardProps): ReactNode {
  const rules = rulesOf(tab.view.colors, column.name);
  const change = (next: readonly ColorRule[]): void =>
    changeTableColumns(tab, { colors: withRules(tab.view.colors, column.name, next) });
  const close = (): void => {
    if (rules.some(isEmptyRule)) change(rules.filter((rule) => !isEmptyRule(rule)));
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
            <RuleList tab={tab} column={column} rules={rules} onChange={change} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface RuleListProps {
  readonly tab: TableTab;
  readonly column: FieldColumn & { readonly name: string };
  readonly rules: readonly ColorRule[];
  onChange(rules: readonly ColorRule[]): void;
}

function RuleList({ tab, column, rules, onChange }: RuleListProps): ReactNode {
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
    <div ref={list} className="color-card-content">
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
      {waiting >= 0 && (
        <ScaleEnds
          tab={tab}
          column={column.name}
          onMeasured={(from, to) => {
            setMeasured(null);
            replace(waiting, { color: rules[waiting]!.color, from, to });
          }}
        />
      )}
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
    </div>
  );
}

/** A rule that was just added is typed into next. */
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
