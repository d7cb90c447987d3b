// The functions that the bundler compiles JSX to: React's elements, in whose texts nothing is hidden.
//
// Names, values and messages of a database get into the page in a hundred places, and each of them is a text of an element or one of a
// few attributes. All of them pass through this file; a component needs to do nothing. Tools that show a value exactly as it is stored
// say `data-exact` and see to hidden characters themselves. Fields the user types in (`value`) are left alone.
import { Fragment, jsx as createElement, jsxs as createElementWithList } from 'react/jsx-runtime';
import type { ElementType, Key, ReactElement } from 'react';
import { visibleText } from '#shared/visible-text.ts';

export { Fragment };

type Props = Readonly<Record<string, unknown>>;

const SHOWN_ATTRIBUTES = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder'] as const;

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  createElement(type, typeof type === 'string' ? visibleProps(props) : props, key);

export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement =>
  createElementWithList(type, typeof type === 'string' ? visibleProps(props) : props, key);

function visibleProps(props: Props): Props {
  const shown: Record<string, unknown> = {};
  for (const name of SHOWN_ATTRIBUTES) {
    const value = props[name];
    if (typeof value === 'string') note(shown, name, value, visibleText(value));
  }
  const { children } = props;
  if (props['data-exact'] === undefined) note(shown, 'children', children, visibleChildren(children));
  return Object.keys(shown).length === 0 ? props : { ...props, ...shown };
}

function note(shown: Record<string, unknown>, name: string, before: unknown, after: unknown): void {
  if (before !== after) shown[name] = after;
}

/** Elements among the children have passed through this file already. */
function visibleChildren(children: unknown): unknown {
  if (typeof children === 'string') return visibleText(children);
  if (!Array.isArray(children)) return children;
  return children.some((child) => typeof child === 'string' && visibleText(child) !== child)
    ? children.map((child: unknown) => (typeof child === 'string' ? visibleText(child) : child))
    : children;
}
