import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A program that people let act for them. None has a secret. */
@Entity('oauth_clients')
export class OAuthClient {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { array: true })
  redirectUris!: string[];

  /** One that registered itself with the tools' issuer, or one of our own with the platform's. */
  @Column('text')
  kind!: 'tool' | 'first_party';

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}
