"""The reference policy of each game. It never changes, so that strength is measured against it."""
