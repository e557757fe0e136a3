/** A master key cannot be used with this database; the message is a sentence for the operator. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
}
