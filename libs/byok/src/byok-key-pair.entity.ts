import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The key pair for BYOK secrets. Any process can encrypt; only run-workers can decrypt, as their master key seals the private half. */
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
