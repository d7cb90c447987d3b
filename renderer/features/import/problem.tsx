// What is wrong with the file, or why the last import was not done.
import type { ReactNode } from 'react';

export const Problem = ({ text }: { readonly text: string | null }): ReactNode =>
  text && (
    <p className="import-problem" role="alert">
      {text}
    </p>
  );
