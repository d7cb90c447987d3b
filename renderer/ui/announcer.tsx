// Announces what happened on screen to screen readers; invisible to other users.
import type { ReactNode } from 'react';
import { visibleText } from '#shared/visible-text.ts';

const ID = 'announcer';

/** Screen readers say what comes into it. Mounted once. */
export function Announcer(): ReactNode {
  return <div id={ID} className="visually-hidden" role="status" />;
}

export function announce(text: string): void {
  const element = document.getElementById(ID);
  if (element) element.textContent = visibleText(text);
}
