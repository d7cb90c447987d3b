// A card beside a column, whose cells stay in view: the rules that give its cells a color. Changes apply at once.
import { Popover } from '@base-ui/react/popover';
import { useEffect, useRef, useState, useId, type ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { X } from 'lucide-react';
import { TINT_COLORS, type TintColor } from '../../grid/cell-tints.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FILTER_SYNTAX, type FieldColumn } from '../filter/filter-text.ts';
import { ruleProblem } from './cell-tints.ts';
import { MOST_RULES, isEmptyRule, isScale, type ColorRule } from './color-rule.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import './color-card.css';

interface ColorCardProps extends RuleListProps {
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
      {rules.length === 0 && <p className="note">Add a rule to color cells by their values.</p>}
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
      <div className="gap-5 color-card-buttons">
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
      {rules.length > 1 && <p className="note">The first rule that matches a cell applies.</p>}
      {note !== undefined && <p className="note">{note}</p>}
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

/** The first color that no rule has; if rules have all colors, the first color again. */
const nextColor = (rules: readonly ColorRule[]): TintColor =>
  TINT_COLORS.find((color) => rules.every((rule) => rule.color !== color)) ?? TINT_COLORS[0];

// One rule of a column: its color, and a condition or the ends of a scale.

interface RuleLineProps {
  readonly rule: ColorRule;
  /** Position, starting at 1. */
  readonly place: number;
  readonly column: FieldColumn;
  onChange(rule: ColorRule): void;
  onRemove(): void;
}

const COLORS = TINT_COLORS.map((color) => [color, `${color[0]!.toUpperCase()}${color.slice(1)}`] as const);
const SYNTAX = FILTER_SYNTAX.map(([text, meaning]) => `${text} – ${meaning}`).join('\n');

function ColorRuleLine({ rule, place, column, onChange, onRemove }: RuleLineProps): ReactNode {
  const problem = ruleProblem(rule, column);
  const problemId = useId();
  const described = problem === null ? {} : { 'aria-invalid': true, 'aria-describedby': problemId };
  return (
    <li className="row wrap gap-5 color-rule">
      <i className="fixed color-rule-swatch" data-tint={rule.color} aria-hidden="true" />
      <Select<TintColor>
        label={`Color of rule ${place}`}
        value={rule.color}
        options={COLORS}
        onChoose={(color) => onChange({ ...rule, color })}
      />
      {isScale(rule) ? (
        <>
          <TextField
            className="small-field color-rule-end"
            aria-label={`Rule ${place} from`}
            placeholder="from"
            value={rule.from}
            onChange={({ target }) => onChange({ ...rule, from: target.value })}
            {...described}
          />
          <span aria-hidden="true">to</span>
          <TextField
            className="small-field color-rule-end"
            aria-label={`Rule ${place} to`}
            placeholder="to"
            value={rule.to}
            onChange={({ target }) => onChange({ ...rule, to: target.value })}
            {...described}
          />
        </>
      ) : (
        <TextField
          className="small-field color-rule-when"
          aria-label={`Condition of rule ${place}`}
          placeholder="> 10, null, contains abc"
          title={SYNTAX}
          spellCheck={false}
          value={rule.when}
          onChange={({ target }) => onChange({ ...rule, when: target.value })}
          {...described}
        />
      )}
      <IconButton label={`Remove rule ${place}`} onClick={onRemove}>
        <X size={12} />
      </IconButton>
      {problem !== null && (
        <span id={problemId} className="small error color-rule-problem">
          {problem}
        </span>
      )}
    </li>
  );
}
