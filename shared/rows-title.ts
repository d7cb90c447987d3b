// What work on the rows of a table or view is called, for people; by it a window knows the work of its own tabs again.
export const rowsTitle = (table: string): string => `Rows of ${table}`;
export const sortedRowsTitle = (table: string): string => `Sorted rows of ${table}`;
