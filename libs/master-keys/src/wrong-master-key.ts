/** Why a master key cannot be used with this database, in a sentence for the operator. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
}
