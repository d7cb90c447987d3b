// JSON as a tree: a branch is read when it is opened, and a value links to its place in the text.
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { visibleLine, visibleName } from '#shared/visible-text.ts';
import { plural } from '../../../ui/format.ts';
import { jsonChildren, jsonRoot } from './json-children.ts';
import type { JsonNode } from './json-children.ts';

/** Deeper branches cannot be opened: each level is an element inside its parent. */
const MAX_DEPTH = 100;
const MAX_SHOWN_CHARS = 120;

interface JsonTreeProps {
  /** Valid JSON. */
  readonly text: string;
  readonly onPick: (node: JsonNode) => void;
}

export function JsonTree({ text, onPick }: JsonTreeProps): ReactNode {
  const root = useMemo(() => jsonRoot(text), [text]);
  return (
    <ul className="json-tree" aria-label="JSON tree">
      <Branch text={text} node={root} depth={0} onPick={onPick} />
    </ul>
  );
}

interface BranchProps extends JsonTreeProps {
  readonly node: JsonNode;
  readonly depth: number;
}

function Branch({ text, node, depth, onPick }: BranchProps): ReactNode {
  const [isOpen, setOpen] = useState(depth === 0);
  const isParent = (node.kind === 'object' || node.kind === 'array') && depth < MAX_DEPTH;
  const children = useMemo(() => (isParent ? jsonChildren(text, node) : null), [text, node, isParent]);
  const label = node.label === '' && depth === 0 ? '' : visibleName(node.label);
  if (!children)
    return (
      <li>
        <button type="button" className="json-leaf" onClick={() => onPick(node)}>
          {label !== '' && <span className="json-name">{label}: </span>}
          <span className={`json-${node.kind}`}>{visibleLine(shownValue(text, node))}</span>
        </button>
      </li>
    );
  const { nodes, count } = children;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <button type="button" className="json-branch" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon size={12} aria-hidden />
        {label !== '' && <span className="json-name">{label}</span>}
        <span className="json-count">{plural(count, node.kind === 'array' ? 'element' : 'member')}</span>
      </button>
      {isOpen && count > 0 && (
        <ul>
          {nodes.map((child, at) => (
            <Branch key={at} text={text} node={child} depth={depth + 1} onPick={onPick} />
          ))}
          {nodes.length < count && (
            <li className="value-note">{`… and ${plural(count - nodes.length, 'more element')}`}</li>
          )}
        </ul>
      )}
    </li>
  );
}

function shownValue(text: string, { from, to, kind }: JsonNode): string {
  if (kind === 'object' || kind === 'array') return kind === 'array' ? '[…]' : '{…}';
  return to - from > MAX_SHOWN_CHARS ? `${text.slice(from, from + MAX_SHOWN_CHARS)}…` : text.slice(from, to);
}
