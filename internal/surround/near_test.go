package surround

import (
	"fmt"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	files := []Candidate{
		{"shop/cart/total.go", 10}, {"shop/cart/total.sql", 10}, {"shop/order.go", 10}, {"cmd/main.go", 10}, {"shop/cart/deep/x.go", 10}, {"logo.png", 10},
		{".env", 10}, {"vendor/a/a.go", 10}, {"shop/cart/large.go", 65 << 10}, {"README.md", 10}, {"shop/secrets.yml", 10},
	}
	near := "shop/cart/total.go shop/cart/total.sql shop/cart/deep/x.go shop/order.go cmd/main.go"
	for _, c := range []struct {
		most, bytes int
		want        string
	}{
		{100, 1000, near + " true"},
		{3, 1000, "shop/cart/total.go shop/cart/total.sql shop/cart/deep/x.go false"},
		{100, 25, "shop/cart/total.go shop/cart/total.sql false"},
		{0, 1000, " false"},
	} {
		got, all := Nearest(files, []string{"shop/cart/cart.go"}, c.most, c.bytes)
		if text := fmt.Sprintf("%s %v", strings.Join(got, " "), all); text != c.want {
			t.Errorf("%d files, %d bytes: %s, want %s", c.most, c.bytes, text, c.want)
		}
	}
	if got, all := Nearest(nil, nil, 1, 1); len(got) > 0 || !all {
		t.Errorf("%v %v", got, all)
	}
}
