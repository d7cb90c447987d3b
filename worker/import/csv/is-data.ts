// Whether a text looks like a value rather than like the name of a column.
const NUMBER = /^[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?$/;
export const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}.*)?$/;

export const isData = (text: string): boolean => NUMBER.test(text) || DATE.test(text) || /^(true|false)$/i.test(text);
