// Fields whose text is stored when they are left. A window that is about to close leaves them all.
import { useEffect } from 'react';
import { useLatest } from './use-latest.ts';

type Leave = () => Promise<boolean>;

const fields = new Set<Leave>();

/** @param leave stores the text, and resolves with false if it could not be stored */
export function useOpenField(leave: Leave): void {
  const latest = useLatest(leave);
  useEffect(() => {
    const field: Leave = () => latest.current();
    fields.add(field);
    return () => void fields.delete(field);
  }, [latest]);
}

/** Resolves with false if the text of a field could not be stored; the field says why. */
export async function leaveOpenFields(): Promise<boolean> {
  const stored = await Promise.all([...fields].map((leave) => leave()));
  return stored.every(Boolean);
}
