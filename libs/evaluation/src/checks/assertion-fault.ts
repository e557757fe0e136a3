/** A fault of the assertion itself, which its writer has to mend. */
export class AssertionFault extends Error {}
