import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What everybody may seal with and run-workers alone can open with: the private half is sealed by their master key. */
@Entity('byok_key_pairs')
export class ByokKeyPair {
  @PrimaryColumn('integer')
  version!: number;

  @Column('bytea')
  publicKey!: Buffer;

  @Column('bytea')
  privateKey!: Buffer;

  @Column('timestamptz')
  createdAt!: Date;
}
