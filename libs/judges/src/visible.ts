/** A character that can be seen. */
const visible = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** True when a text has no character that can be seen. */
export const isBlank = (text: string): boolean => !visible.test(text);
