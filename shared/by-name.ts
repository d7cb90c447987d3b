// Values by names that anyone may have chosen, such as those of columns.

/** Empty, and without a prototype: `__proto__` is a name like any other in it, where `{}` would drop its value. */
export const byName = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;
