import { Button, Card, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { offeredChildren } from '../access.ts'
import { type Entry, isGroup } from '../screens.ts'
import styles from './Dashboard.module.css'

export function AreaCard({ entry, children }: { readonly entry: Entry; readonly children: ReactNode }) {
  const { t } = useTranslation()
  const user = useUser()
  const heading = useId()
  const { icon: Icon } = entry
  const title = t(`screens.${entry.name}.title`)
  return (
    <Card component="section" aria-labelledby={heading} className={styles.card}>
      <div className={styles.heading}>
        <span className={styles.icon}>
          <Icon size={16} aria-hidden="true" />
        </span>
        <Title order={2} id={heading}>
          {title}
        </Title>
      </div>
      <Text c="dimmed">{t(`screenDescriptions.${entry.name}`)}</Text>
      {children}
      <div className={styles.buttons}>
        {isGroup(entry) ? (
          offeredChildren(entry, user).map(({ name, path, icon }) => (
            <LinkButton
              key={name}
              to={path}
              label={t(`screens.${name}.title`)}
              icon={icon}
              variant="default"
            />
          ))
        ) : (
          <Button
            component={Link}
            to={entry.path}
            variant="default"
            aria-label={t('dashboard.openNamed', { name: title })}
          >
            {t('dashboard.open')}
          </Button>
        )}
      </div>
    </Card>
  )
}
