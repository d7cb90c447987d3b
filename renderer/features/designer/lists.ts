// Steps on lists, and what a name in the form must be.

export function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, at) => at !== index);
}

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = without(list, from);
  return [...rest.slice(0, to), list[from]!, ...rest.slice(to)];
}

/** Why it cannot be a name; null when it can. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'A name is needed.';
  return name.includes('\0') ? 'A name cannot have a NUL character.' : null;
}
