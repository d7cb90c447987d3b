// A list of facts, each marked as good, as a warning, or not at all, or with an icon of its own.
import { Check, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import './fact-list.css';

interface FactListProps {
  readonly label: string;
  /** Placed inside a panel, beside its other parts. */
  readonly isInset?: boolean;
  readonly children: ReactNode;
}

export function FactList({ label, isInset, children }: FactListProps): ReactNode {
  return (
    <ul className="stack gap-4 break-words fact-list" aria-label={label} data-inset={isInset}>
      {children}
    </ul>
  );
}

interface FactProps {
  readonly tone: 'good' | 'warning' | 'plain';
  /** Replaces the mark of its tone. */
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

export function Fact({ tone, icon = MARKS[tone], children }: FactProps): ReactNode {
  return (
    <li className="fact" data-tone={tone}>
      {icon}
      <span>{children}</span>
    </li>
  );
}

const MARKS = {
  good: <Check size={14} aria-label="OK" />,
  warning: <TriangleAlert size={14} aria-label="Warning" />,
  plain: <span className="fact-dot" aria-hidden />,
};
