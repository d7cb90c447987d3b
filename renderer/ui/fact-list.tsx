// A list of facts, each marked as good, as a warning, or not at all.
import { Check, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import './fact-list.css';

export function FactList({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <ul className="fact-list" aria-label={label}>
      {children}
    </ul>
  );
}

interface FactProps {
  readonly tone: 'good' | 'warning' | 'plain';
  readonly children: ReactNode;
}

export function Fact({ tone, children }: FactProps): ReactNode {
  return (
    <li className="fact" data-tone={tone}>
      {tone === 'good' && <Check size={14} aria-label="OK" />}
      {tone === 'warning' && <TriangleAlert size={14} aria-label="Warning" />}
      {tone === 'plain' && <span className="fact-dot" aria-hidden />}
      <span>{children}</span>
    </li>
  );
}
