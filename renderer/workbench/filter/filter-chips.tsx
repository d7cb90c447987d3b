// The chips of a filter in one line, which scrolls sideways where there are more than fit: the rows below stay where they are.
import type { ReactNode } from 'react';

export function FilterChips({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div
      className="gap-8 filter-chips"
      onWheel={(event) => {
        event.currentTarget.scrollLeft += event.deltaY || event.deltaX;
      }}
    >
      {children}
    </div>
  );
}
