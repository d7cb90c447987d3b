// One rule of a column: its color, and a condition or the ends of a scale.
import { X } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { TINT_COLORS } from '../../grid/cell-tints.ts';
import type { TintColor } from '../../grid/cell-tints.ts';
import { ruleProblem } from './cell-tints.ts';
import { isScale } from './color-rule.ts';
import type { ColorRule } from './color-rule.ts';
import { FILTER_SYNTAX } from '../filter/filter-text.ts';
import type { FieldColumn } from '../filter/filter-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';

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

export function ColorRuleLine({ rule, place, column, onChange, onRemove }: RuleLineProps): ReactNode {
  const problem = ruleProblem(rule, column);
  const problemId = useId();
  const described = problem === null ? {} : { 'aria-invalid': true, 'aria-describedby': problemId };
  return (
    <li className="row wrap gap-5 color-rule">
      <i className="color-rule-swatch" data-tint={rule.color} aria-hidden="true" />
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
