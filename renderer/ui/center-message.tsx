// What a pane shows when it has nothing else to show.
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface CenterMessageProps {
  readonly title?: string;
  readonly text: ReactNode;
  readonly role?: 'alert' | 'status';
  readonly onTryAgain?: (() => void) | undefined;
}

export function CenterMessage({ title, text, role, onTryAgain }: CenterMessageProps): ReactNode {
  return (
    <div className="center-message" role={role}>
      {title !== undefined && <h2>{title}</h2>}
      <p>{text}</p>
      {onTryAgain && <Button onClick={onTryAgain}>Try again</Button>}
    </div>
  );
}
