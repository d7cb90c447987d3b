// A line of a description list: a name, and what is known of it.
import type { ReactNode } from 'react';

export function Described({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
