/** A master key does not belong to this database; the message is for the operator. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
}
