import { AppShell } from '@mantine/core'
import { Outlet } from 'react-router-dom'

/** Header, sidebar and footer around every screen. */
export function Shell() {
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding="md"
    >
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}
